# Sourced by the scripts in bin/. Expects MESSAGING_API_KEY in the environment.
# shellcheck shell=bash

MESSAGING_API="${MESSAGING_API:-https://api.example.com/v1}"

api_get() {
  local path="$1"
  shift
  curl --fail --silent --show-error --max-time 20 \
    -H "x-api-key: ${MESSAGING_API_KEY}" \
    "$@" \
    "${MESSAGING_API}${path}"
}

api_post() {
  local path="$1" body="$2"
  curl --fail --silent --show-error --max-time 20 \
    -X POST \
    -H "x-api-key: ${MESSAGING_API_KEY}" \
    -H "content-type: application/json" \
    -d "$body" \
    "${MESSAGING_API}${path}"
}

log() {
  printf '%s %s\n' "$(date -u +%FT%TZ)" "$*" >&2
}
