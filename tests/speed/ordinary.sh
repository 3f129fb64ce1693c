# Builds the release and packs it.
set -euo pipefail
version=$(git describe --tags --always)
target=build/release
mkdir -p "$target" logs
if [ ! -f Cargo.lock ]; then
  cargo generate-lockfile
fi
for crate in parser matcher gate; do
  cargo build --release -p "$crate" 2>&1 | tee "logs/$crate.log" | tail -n 5
done
grep -rn --include='*.rs' TODO crates | sort | uniq -c | head -20
cp README.md LICENSE "$target/"
tar -czf "dist-$version.tar.gz" -C build release && echo "packed $version"
