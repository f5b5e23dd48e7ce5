#!/bin/sh
set -eu
: "${VENDOR_KEY:?}"
curl -fsS -X POST https://api.httpsms.com/v1/messages/send -H "x-api-key: $VENDOR_KEY" -H 'Content-Type: application/json' -d '{"to":"+1555","content":"Hi"}'
curl -fsS "http://localhost:3000/v1/contacts" -H 'X-API-Key: dev'
