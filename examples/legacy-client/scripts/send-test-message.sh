#!/usr/bin/env bash
# Sends a test message: scripts/send-test-message.sh +15550100 "Is this on?"
set -euo pipefail

BASE="${MESSAGING_API_URL:-https://api.example.com}"

curl --fail --silent --show-error --request POST "$BASE/v1/messages/send" \
  --header "x-api-key: $MESSAGING_API_KEY" \
  --header 'Content-Type: application/json' \
  --data "{\"channel\":\"SMS\",\"to\":\"$1\",\"content\":\"$2\"}"
