#!/bin/sh
# The booking API answers, and lets nobody in without a key.
set -eu
API=${API:-http://localhost:4000}
curl -fsS "$API/healthz"
test "$(curl -s -o /dev/null -w '%{http_code}' "$API/v1/appointments")" = 401
curl -fsS -H "x-api-key: $PARTNER_KEY" "$API/v1/appointments" > /dev/null
