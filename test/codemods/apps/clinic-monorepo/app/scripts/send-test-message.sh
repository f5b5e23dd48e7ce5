#!/usr/bin/env bash
# Sends a message to the phone of whoever is on duty, after each deployment.
set -euo pipefail

MESSAGING_BASE_URL="${MESSAGING_BASE_URL:-https://api.example.com}"
to="${1:?usage: send-test-message.sh +15550100001}"

send() {
  local phone=$1 text=$2
  curl --silent --show-error --fail \
    --request POST \
    --header "x-api-key: ${MESSAGING_API_KEY}" \
    --header 'content-type: application/json' \
    --data "{\"channel\": \"SMS\", \"to\": \"${phone}\", \"content\": \"${text}\"}" \
    "${MESSAGING_BASE_URL}/v1/messages/send"
}

id=$(send "$to" "Deployment done" | jq -r .messageId)
echo "sent $id"

for _ in 1 2 3; do
  sleep 2
  curl -sf -H "x-api-key: $MESSAGING_API_KEY" "$MESSAGING_BASE_URL/v1/messages/$id" | jq -r .status
done
