#!/usr/bin/env bash
set -euo pipefail

# The report goes to the archive's own API and, in short, to the owner's phone.
ARCHIVE=https://archive.example.net/v1
MESSAGING=https://api.example.com/v1

size=$(wget -qO- --header="X-API-Key: $ARCHIVE_KEY" "$ARCHIVE/backups/latest" | jq -r .size)

wget -qO- \
  --header="X-API-Key: $MESSAGING_API_KEY" \
  --header="Content-Type: application/json" \
  --post-data="{\"channel\":\"WHATSAPP\",\"to\":\"$OWNER\",\"content\":\"Backup: $size\"}" \
  "$MESSAGING/messages/send"
