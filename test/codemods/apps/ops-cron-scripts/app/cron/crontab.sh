#!/bin/sh
# Writes the crontab of this host.
cat <<'CRON'
*/10 * * * * /opt/ops/bin/disk-alert.sh
15 6 * * *   curl -fsS -H "x-api-key: $MESSAGING_API_KEY" https://api.example.com/v1/messages?limit=1 > /dev/null || logger messaging is down
CRON
