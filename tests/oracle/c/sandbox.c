/* Runs commands, each in a sandbox of its own, and answers with what the shims wrote down.

     sandbox TEMPLATE WORK

   TEMPLATE holds `bin` (the shims), `lib` (libraries of the real programs) and `oracle` (the real programs, tables, start-up
   files); WORK is an empty folder. A request on standard input is a 32-bit length and fields that each end in NUL:

     shell  status  flags  wall-clock milliseconds  command            flags: a (aliases), t (trace)

   An answer is a 32-bit wait status, or -1 where the wall clock ended it, -2 where the sandbox could not be made, and then
   three texts, each behind a 32-bit length: the log, the trace, standard error.

   The process owns its user, mount, network, IPC and UTS namespaces; each command has a root, a process and a mount
   namespace of its own, which die with it. Started as root it is nobody first. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534, INSIDE = 1000, TIMED_OUT = 254, NOT_MADE = 253, MOST_LOG = 4 << 20, MOST_TEXT = 64 << 10 };

static const char *template, *work;
static char root[3072];

static void fail(const char *what) {
  dprintf(2, "the sandbox could not be made: %s: %s\n", what, strerror(errno));
  _exit(NOT_MADE);
}

static char *text(const char *format, const char *first, const char *second) {
  static char texts[4][4096];
  static int next;
  char *own = texts[next++ % 4];
  snprintf(own, sizeof texts[0], format, first, second);
  return own;
}

static char *inside(const char *path) { return text("%s%s", root, path); }

static void folder(const char *path) {
  if (mkdir(inside(path), 0755) && errno != EEXIST) fail(path);
}

static void file(const char *path, const char *content) {
  int own = open(inside(path), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (own < 0 || write(own, content, strlen(content)) < 0) fail(path);
  close(own);
}

static void link_to(const char *target, const char *path) {
  if (symlink(target, inside(path))) fail(path);
}

static void bind_to(const char *source, const char *path, int writable) {
  if (mount(source, inside(path), NULL, MS_BIND | MS_REC, NULL)) fail(path);
  if (writable) return;
  unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY;
  if (mount("none", inside(path), NULL, flags | MS_NOSUID | MS_NODEV, NULL) && mount("none", inside(path), NULL, flags, NULL)) fail(path);
}

static void bind_file(const char *source, const char *path, int writable) {
  file(path, "");
  bind_to(source, path, writable);
}

static void set(const char *path, const char *content) {
  int own = open(path, O_WRONLY);
  if (own < 0 || write(own, content, strlen(content)) < 0) fail(path);
  close(own);
}

static void enter_namespaces(void) {
  if (getuid() == 0) {
    if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY)) fail("become nobody");
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* so that the maps can be written */
  }
  char map[64];
  unsigned user = getuid(), group = getgid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)) fail("unshare");
  set("/proc/self/setgroups", "deny");
  snprintf(map, sizeof map, "%d %u 1", INSIDE, user);
  set("/proc/self/uid_map", map);
  snprintf(map, sizeof map, "%d %u 1", INSIDE, group);
  set("/proc/self/gid_map", map);
  if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)) fail("private mounts");
  if (mount("tmpfs", work, "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,mode=755")) fail(work);
  snprintf(root, sizeof root, "%s/root", work);
  if (mkdir(root, 0755)) fail(root);
}

static void link_libraries(void) {
  DIR *libraries = opendir(text("%s/lib", template, ""));
  if (!libraries) fail("lib");
  for (struct dirent *entry; (entry = readdir(libraries));) {
    if (entry->d_name[0] == '.') continue;
    if (!strcmp(entry->d_name, "usr")) {
      DIR *below = opendir(text("%s/lib/usr", template, ""));
      if (!below) fail("lib/usr");
      for (struct dirent *own; (own = readdir(below));)
        if (own->d_name[0] != '.') link_to(text("/.libraries/usr/%s", own->d_name, ""), text("/usr/%s", own->d_name, ""));
      closedir(below);
    } else {
      link_to(text("/.libraries/%s", entry->d_name, ""), text("/%s", entry->d_name, ""));
    }
  }
  closedir(libraries);
}

static void make_root(void) {
  static const char *const folders[] = {"/usr", "/usr/local", "/bin", "/etc", "/proc", "/dev", "/var", "/var/tmp", "/var/log", "/tmp", "/home", "/home/user",
                                        "/home/user/project", "/home/user/project/src", "/home/user/project/dir", "/opt", "/srv", "/root", "/mnt", "/.oracle", "/.libraries"};
  static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/urandom"};
  if (mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "size=32m,mode=755")) fail(root);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) folder(folders[i]);
  chmod(inside("/tmp"), 01777);
  chmod(inside("/var/tmp"), 01777);
  bind_to(text("%s/bin", template, ""), "/bin", 0);
  link_to("/bin", "/sbin");
  link_to("/bin", "/usr/bin");
  link_to("/bin", "/usr/sbin");
  link_to("/bin", "/usr/local/bin");
  bind_to(text("%s/lib", template, ""), "/.libraries", 0);
  link_libraries();
  bind_to(text("%s/oracle", template, ""), "/.oracle", 0);
  bind_to(text("%s/log", work, ""), "/.oracle/log", 1);
  bind_to(text("%s/trace", work, ""), "/.oracle/trace", 1);
  bind_to(text("%s/status", work, ""), "/.oracle/status", 0);
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) bind_file(devices[i], devices[i], 1);
  if (mount("proc", inside("/proc"), "proc", MS_NOSUID | MS_NODEV, NULL) && mount("/proc", inside("/proc"), NULL, MS_BIND | MS_REC, NULL)) fail("/proc");
  link_to("/proc/self/fd", "/dev/fd");
  link_to("/proc/self/fd/0", "/dev/stdin");
  link_to("/proc/self/fd/1", "/dev/stdout");
  link_to("/proc/self/fd/2", "/dev/stderr");
  file("/etc/passwd", "root:x:0:0::/root:/bin/bash\nuser:x:1000:1000::/home/user:/bin/bash\n");
  file("/etc/group", "root:x:0:\nuser:x:1000:\n");
  file("/home/user/project/a.txt", "alpha\n");
  file("/home/user/project/b.txt", "beta\n");
  file("/home/user/project/README.md", "# x\n");
  file("/home/user/project/src/main.rs", "fn main() {}\n");
  file("/home/user/project/dir/.keep", "");
  if (chroot(root) || chdir("/home/user/project")) fail("enter the root");
}

static void limit(int what, rlim_t value) {
  struct rlimit both = {value, value};
  setrlimit(what, &both);
}

static void start_shell(const char *shell, const char *flags, char *command) {
  static char *environment[] = {"PATH=/bin:/usr/bin:/usr/local/bin:/sbin:/usr/sbin", "HOME=/home/user", "USER=user", "LOGNAME=user", "SHELL=/bin/bash",
                                "TERM=dumb", "LANG=C.UTF-8", "TMPDIR=/tmp", NULL, NULL};
  char *words[8];
  int count = 0;
  setsid();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 2);
  limit(RLIMIT_FSIZE, 8 << 20);
  limit(RLIMIT_NPROC, 200);
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_AS, 1 << 30);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
  environment[8] = strchr(flags, 't') ? "BASH_ENV=/.oracle/traced" : "BASH_ENV=/.oracle/plain";
  words[count++] = (char *)shell;
  if (!strcmp(shell, "bash")) {
    words[count++] = "--norc";
    words[count++] = "--noprofile";
    if (strchr(flags, 'a')) {
      words[count++] = "-O";
      words[count++] = "expand_aliases";
    }
  }
  words[count++] = "-c";
  words[count++] = command;
  words[count] = NULL;
  execve(text("/.oracle/real/%s", shell, ""), words, environment);
  fail(shell);
}

/* Process 1 of the sandbox: starts the shell, and ends with its status once nothing is left to wait for. */
static void first_process(char **fields, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, NULL);
  make_root();
  int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(errors, 2) < 0) fail("descriptors");
  if (syscall(SYS_close_range, 3, ~0U, 0))
    for (int own = 3; own < 256; own++) close(own);
  struct timespec now, end, rest;
  clock_gettime(CLOCK_MONOTONIC, &end);
  long wall = atol(fields[3]);
  end.tv_sec += wall / 1000;
  end.tv_nsec += wall % 1000 * 1000000;
  pid_t shell = fork();
  if (shell < 0) fail("fork");
  if (!shell) start_shell(fields[0], fields[2], fields[4]);
  for (int last = 0;;) {
    int own;
    pid_t ended = waitpid(-1, &own, WNOHANG);
    if (ended < 0) _exit(last);
    if (ended == shell) last = WIFEXITED(own) ? WEXITSTATUS(own) % TIMED_OUT : 128 + WTERMSIG(own);
    if (ended > 0) continue;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long left = (end.tv_sec - now.tv_sec) * 1000000000L + end.tv_nsec - now.tv_nsec;
    if (left <= 0) _exit(TIMED_OUT);
    rest.tv_sec = left / 1000000000L;
    rest.tv_nsec = left % 1000000000L;
    sigtimedwait(&children, NULL, &rest);
  }
}

static int emptied(const char *name) {
  int own = open(text("%s/%s", work, name), O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0666);
  if (own < 0) fail(name);
  return own;
}

static void send_bytes(const void *bytes, size_t count) {
  for (const char *at = bytes; count;) {
    ssize_t sent = write(1, at, count);
    if (sent <= 0) _exit(1);
    at += sent;
    count -= (size_t)sent;
  }
}

static void send_file(int own, off_t most) {
  static char bytes[MOST_LOG];
  ssize_t count = pread(own, bytes, (size_t)most, 0);
  uint32_t length = count < 0 ? 0 : (uint32_t)count;
  send_bytes(&length, sizeof length);
  send_bytes(bytes, length);
  close(own);
}

static void answer(char **fields) {
  int log = emptied("log"), trace = emptied("trace"), errors = emptied("errors"), status = emptied("status");
  if (write(status, fields[1], strlen(fields[1])) < 0) fail("status");
  close(status);
  int32_t result = -2;
  int own;
  pid_t first = (pid_t)syscall(SYS_clone, CLONE_NEWNS | CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
  if (!first) first_process(fields, errors);
  if (first > 0 && waitpid(first, &own, 0) == first && WIFEXITED(own)) {
    result = WEXITSTATUS(own);
    if (result == TIMED_OUT) result = -1;
    if (result == NOT_MADE) result = -2;
  }
  send_bytes(&result, sizeof result);
  send_file(log, MOST_LOG);
  send_file(trace, MOST_LOG);
  send_file(errors, MOST_TEXT);
}

static int read_bytes(void *bytes, size_t count) {
  for (char *at = bytes; count;) {
    ssize_t own = read(0, at, count);
    if (own <= 0) return 0;
    at += own;
    count -= (size_t)own;
  }
  return 1;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  template = words[1];
  work = words[2];
  enter_namespaces();
  umask(022);
  for (uint32_t length; read_bytes(&length, sizeof length);) {
    char *request = malloc(length + 1), *fields[5], *at = request;
    if (!request || !read_bytes(request, length)) return 1;
    request[length] = 0;
    for (int i = 0; i < 5; i++) {
      fields[i] = at < request + length ? at : "";
      at += strlen(fields[i]) + 1;
    }
    answer(fields);
    free(request);
  }
  return 0;
}
