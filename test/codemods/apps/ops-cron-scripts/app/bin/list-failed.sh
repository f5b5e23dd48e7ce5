#!/bin/sh
# Messages that did not arrive, page by page.
BASE=https://api.example.com/v1
page=1
while :; do
  out=$(curl -s --get "$BASE/messages" \
    --data-urlencode "status=FAILED" --data "page=$page" \
    --header "x-api-key:$MESSAGING_API_KEY")
  [ "$(echo "$out" | jq '.data | length')" -eq 0 ] && break
  echo "$out" | jq -r '.data[] | [.messageId, .to] | @tsv'
  page=$((page + 1))
done
