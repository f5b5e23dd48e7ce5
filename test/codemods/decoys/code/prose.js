const help = `Usage: send <to> <text>

Calls POST /v1/messages/send with the key of X-API-Key.`;

export function usage() {
  console.error(help);
  console.warn('See https://api.example.com/v1/messages for the format.');
  throw new Error('x-api-key is missing: GET /v1/contacts needs one');
}
