#!/usr/bin/env bash
# Sends again what failed: replay.sh ids.txt
set -euo pipefail
: "${MESSAGING_URL:=https://api.example.com/v1}"

request() {
  local method=$1 path=$2
  shift 2
  curl -fsS -X "$method" -H "x-api-key: $MESSAGING_KEY" "$@" "$MESSAGING_URL$path"
}

while read -r id; do
  message=$(request GET "/messages/$id")
  request POST /messages/send -H 'content-type: application/json' --data "$(jq '{channel, to, content}' <<< "$message")"
done < "$1"
