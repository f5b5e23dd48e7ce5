#!/bin/bash
# Texts the on-call phone when a disk is nearly full. Run by cron on every host, so it needs nothing but curl.
THRESHOLD=${THRESHOLD:-90}
KEY=$(cat /etc/ops/messaging.key)
API_URL="https://api.example.com"
CURL_OPTS=(-sS --retry 3 --max-time 10)
AUTH=(-H "x-api-key: $KEY" -H "Content-Type: application/json")

notify() {
  curl "${CURL_OPTS[@]}" "${AUTH[@]}" -X POST "$API_URL/v1/messages/send" --data @- <<JSON
{"channel": "SMS", "to": "$ONCALL", "content": "$1"}
JSON
}

df -P -x tmpfs | awk 'NR > 1 { print $5, $6 }' | while read -r used mount; do
  used=${used%\%}
  if [ "$used" -ge "$THRESHOLD" ]; then
    notify "$(hostname): $mount is at $used %"
  fi
done
