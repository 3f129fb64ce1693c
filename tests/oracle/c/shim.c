/* Stands in for every program of the sandbox: writes down what was run, then does as little as the program's kind asks for.

   A filter is replaced by the real program, a wrapper runs what its words name, anything else ends at once with the status
   in /.oracle/status. One record is a 32-bit length and fields that each end in NUL:

     kind  path  directory  "PID PARENT GRANDPARENT …"  word…                                                            */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { GENERATIONS = 24 };

static char *record;
static size_t used, room;

static void append(const void *bytes, size_t count) {
  if (used + count > room) {
    room = 2 * (used + count) + 4096;
    record = realloc(record, room);
    if (!record) _exit(125);
  }
  memcpy(record + used, bytes, count);
  used += count;
}

static void field(const char *text) { append(text, strlen(text) + 1); }

/* The parent of a process, from proc_pid_stat(5); 0 where it is not known. */
static long parent_of(long process) {
  char name[64], stat[512];
  snprintf(name, sizeof name, "/proc/%ld/stat", process);
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, stat, sizeof stat - 1);
  close(file);
  if (count <= 0) return 0;
  stat[count] = 0;
  char *behind = strrchr(stat, ')');
  long parent = 0;
  return behind && sscanf(behind + 1, " %*c %ld", &parent) == 1 ? parent : 0;
}

static void write_down(const char *kind, const char *path, char **words) {
  char directory[4096], line[GENERATIONS * 24];
  int at = 0;
  uint32_t length = 0;
  used = 0;
  append(&length, sizeof length);
  field(kind);
  field(path);
  field(getcwd(directory, sizeof directory) ? directory : "");
  long process = getpid();
  for (int i = 0; i < GENERATIONS && process > 0; i++) {
    at += snprintf(line + at, sizeof line - (size_t)at, i ? " %ld" : "%ld", process);
    process = i ? parent_of(process) : getppid();
  }
  field(line);
  for (char **word = words; *word; word++) field(*word);
  length = (uint32_t)(used - sizeof length);
  memcpy(record, &length, sizeof length);
  int log = open("/.oracle/log", O_WRONLY | O_APPEND | O_CLOEXEC);
  if (log < 0) return;
  if (write(log, record, used) < 0) _exit(125);
  close(log);
}

static int status(void) {
  char text[8] = {0};
  int file = open("/.oracle/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
  close(file);
  return atoi(text);
}

static void run(char **words) {
  execvp(words[0], words);
  write_down(errno == ENOENT ? "missing" : "failed", words[0], words);
  _exit(127);
}

/* The user's shell is bash. */
static void run_by_shell(char *shell, char *text) {
  char *words[] = {shell, "-c", text, NULL};
  run(words);
}

static char *joined(char **words) {
  size_t length = 1;
  for (char **word = words; *word; word++) length += strlen(*word) + 1;
  char *text = calloc(1, length);
  if (!text) _exit(125);
  for (char **word = words; *word; word++) {
    if (word != words) strcat(text, " ");
    strcat(text, *word);
  }
  return text;
}

/* A line of /.oracle/wrappers: name, options that take a value, how many operands stand before the program, traits. */
struct wrapper {
  char short_options[64], long_options[256], traits[16];
  int operands;
};

static int wrapper_named(const char *name, struct wrapper *found) {
  char own[64];
  FILE *file = fopen("/.oracle/wrappers", "re");
  if (!file) return 0;
  while (fscanf(file, "%63s %63s %255s %d %15s", own, found->short_options, found->long_options, &found->operands, found->traits) == 5)
    if (!strcmp(own, name)) {
      fclose(file);
      return 1;
    }
  fclose(file);
  return 0;
}

/* Whether a name stands in a list of names between commas. */
static int listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
    if (at[-1] == ',' && at[length] == ',') return 1;
  return 0;
}

static int has(const struct wrapper *wrapper, char trait) { return strchr(wrapper->traits, trait) != NULL; }

static void wrap(struct wrapper *wrapper, char **words) {
  char *text = NULL;
  char **rest = NULL;
  int shell = 0, user = 0, operands = 0, whole = has(wrapper, 'j'), i = 1;
  for (; words[i]; i++) {
    char *word = words[i];
    if (!strcmp(word, "--")) {
      i++;
      break;
    }
    if (word[0] == '-' && word[1] == '-') {
      char *value = strchr(word, '=');
      if (value) *value++ = 0;
      user |= !strcmp(word, "--user");
      if (!strcmp(word, "--exec")) whole = 0;
      int own = listed(wrapper->long_options, word + 2);
      if (own && !value && words[i + 1]) value = words[++i];
      if (has(wrapper, 'c') && !strcmp(word, "--command")) text = value;
      if (has(wrapper, 's') && (!strcmp(word, "--shell") || !strcmp(word, "--login"))) shell = 1;
    } else if (word[0] == '-' && word[1]) {
      for (char *letter = word + 1; *letter; letter++) {
        user |= *letter == 'u';
        if (*letter == 'x') whole = 0;
        if (strchr(wrapper->short_options, *letter)) {
          char *value = letter[1] ? letter + 1 : words[i + 1] ? words[++i] : NULL;
          if (has(wrapper, 'c') && *letter == 'c') text = value;
          break;
        }
        if (has(wrapper, 's') && strchr("si", *letter)) shell = 1;
        if (has(wrapper, 'q') && strchr("lKkVv", *letter)) return;
      }
    } else if (!strcmp(word, "-") && has(wrapper, 'n')) {
      continue;
    } else if (has(wrapper, 'a') && strchr(word, '=') && !strchr("=/.", word[0])) {
      putenv(word);
    } else if (has(wrapper, 'n') || (has(wrapper, 'u') && !user)) {
      if (operands++ == 1 && has(wrapper, 'w')) rest = words + i;
    } else if (wrapper->operands-- <= 0) {
      break;
    }
  }
  if (text) run_by_shell("bash", text);
  if (rest) {
    *--rest = "sh"; /* over the user's name */
    run(rest);
  }
  if (!words[i]) return;
  if (shell || whole) run_by_shell(shell ? "bash" : "sh", joined(words + i));
  run(words + i);
}

int main(int count, char **words) {
  const char *path = (const char *)getauxval(AT_EXECFN);
  if (!path) path = count ? words[0] : "";
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  if (!strcmp(name, "missing") && count) {
    write_down("missing", words[1] ? words[1] : "", words + 1);
    return 127;
  }
  write_down("started", path, words);
  char real[512];
  snprintf(real, sizeof real, "/.oracle/real/%.200s", name);
  if (!access(real, X_OK)) {
    execv(real, words);
    return 126;
  }
  struct wrapper wrapper;
  if (count && wrapper_named(name, &wrapper)) wrap(&wrapper, words);
  return status();
}
