#!/bin/bash
# Needs HTTPie: whois-contact.sh <contact-id>
set -eu
http --check-status GET "https://api.example.com/v1/contacts/$1" "x-api-key:$MESSAGING_API_KEY"
http --ignore-stdin --check-status https://crm.example.net/v1/people phone=="$2" x-api-key:"$CRM_KEY"
