#!/bin/sh
# image.sh BINARY VERSION OUT: an image of one static binary, from nothing, as an archive that `docker load`, `podman
# load` and `skopeo copy docker-archive:` read. No daemon and no network are needed, and it comes out the same wherever
# it is built: times are those of SOURCE_DATE_EPOCH, and nobody owns the files.
set -eu
binary=$1
version=$2
out=$3
epoch=${SOURCE_DATE_EPOCH:-0}
case $(uname -m) in x86_64) arch=amd64 ;; aarch64) arch=arm64 ;; *) arch=$(uname -m) ;; esac
if ldd "$binary" 2>&1 | grep -q '=>'; then
  echo "image.sh: $binary is not static: build it with the preset static" >&2
  exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
pack() { tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$1" -cf "$2" -- $(ls "$1"); }
sum() { sha256sum "$1" | cut -d ' ' -f 1; }

mkdir "$folder/root" "$folder/image"
install -m 0755 "$binary" "$folder/root/previct"
mkdir -m 0755 "$folder/root/work"
pack "$folder/root" "$folder/image/layer.tar"
layer=$(sum "$folder/image/layer.tar")
cat > "$folder/config.json" <<CONFIG
{"architecture":"$arch","os":"linux","created":"$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)","config":{"User":"65532:65532","Entrypoint":["/previct"],"WorkingDir":"/work","Env":["PATH=/"],"Labels":{"org.opencontainers.image.title":"previct","org.opencontainers.image.version":"$version","org.opencontainers.image.licenses":"Apache-2.0"}},"rootfs":{"type":"layers","diff_ids":["sha256:$layer"]},"history":[{"created":"$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)","created_by":"make image"}]}
CONFIG
config=$(sum "$folder/config.json")
mv "$folder/config.json" "$folder/image/$config.json"
mv "$folder/image/layer.tar" "$folder/image/$layer.tar"
printf '[{"Config":"%s.json","RepoTags":["previct:%s"],"Layers":["%s.tar"]}]\n' "$config" "$version" "$layer" > "$folder/image/manifest.json"
mkdir -p "$(dirname "$out")"
pack "$folder/image" "$out"
echo "$out: previct:$version ($(sum "$out"))"
