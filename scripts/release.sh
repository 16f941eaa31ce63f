#!/usr/bin/env bash
# scripts/release.sh [OUT]: the files of a release, in OUT (default: dist).
#
# Builds deeprepo for linux, darwin and windows on amd64 and arm64, each in an archive with its licences and bill of materials
# (CycloneDX), and SHA256SUMS over all archives. The version is the one that git describes: release from a clean checkout of a
# tag vX.Y.Z. The same commit and the same Go give the same bytes. TARGETS="linux/amd64" builds fewer.
# OUT/container/ARCH is the root directory that Containerfile copies; its certificates are this machine's.
set -euo pipefail
umask 022
export TZ=UTC LC_ALL=C # archives hold modes, times and an order
cd "$(dirname "$0")/.."
out=$(mkdir -p "${1:-dist}" && cd "${1:-dist}" && pwd)
export CGO_ENABLED=0 GOFLAGS="-trimpath -buildvcs=true"
targets=${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}

[ -z "$(git status --porcelain)" ] || echo "release: the work tree has changes; the version will say +dirty" >&2
commit_time=$(git log -1 --format=%ct)

(cd tools && GOFLAGS=-buildvcs=false go build -o "$out/.describe" ./release)
trap 'rm -rf "$out/.describe" "$out/.stage"' EXIT
archives=()
for target in $targets; do
  os=${target%/*} arch=${target#*/} name=deeprepo_${os}_${arch} program=deeprepo
  [ "$os" = windows ] && program=deeprepo.exe
  echo "release: $target" >&2
  stage=$out/.stage/$name
  rm -rf "$stage" && mkdir -p "$stage"
  GOOS=$os GOARCH=$arch go build -ldflags="-s -w" -o "$stage/$program" ./cmd/deeprepo
  "$out/.describe" -root . -binary "$stage/$program" -sbom "$stage/sbom.cdx.json" -licences "$stage/THIRD_PARTY_LICENCES"
  cp LICENSE README.md CHANGELOG.md "$stage/"
  find "$stage" -exec touch -h -d "@$commit_time" {} +
  if [ "$os" = windows ]; then
    (cd "$out/.stage" && rm -f "$out/$name.zip" && find "$name" | sort | zip -q -X "$out/$name.zip" -@)
    archives+=("$name.zip")
  else
    if [ "$os" = linux ]; then
      root=$out/container/$arch
      rm -rf "$root" && mkdir -p "$root/etc/ssl/certs" "$root/licences" "$root/tmp" && chmod 1777 "$root/tmp"
      cp "$stage/$program" "$root/"
      cp "$stage/LICENSE" "$stage/THIRD_PARTY_LICENCES" "$root/licences/"
      cp "${CA_CERTIFICATES:-/etc/ssl/certs/ca-certificates.crt}" "$root/etc/ssl/certs/ca-certificates.crt"
    fi
    tar -C "$out/.stage" --mode=u+rwX,go+rX,go-w --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$commit_time" -cf - "$name" |
      gzip -n -9 >"$out/$name.tar.gz"
    archives+=("$name.tar.gz")
  fi
done
(cd "$out" && sha256sum "${archives[@]}" >SHA256SUMS)
ls -l "$out" >&2
