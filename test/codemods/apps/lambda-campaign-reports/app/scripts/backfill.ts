import { readFile } from 'node:fs/promises';

const base = process.env.MESSAGING_API_URL ?? 'https://api.example.com/v1';
const key = process.env.MESSAGING_API_KEY;
if (!key) throw new Error('MESSAGING_API_KEY is not set');

const rows = (await readFile(process.argv[2] ?? 'contacts.csv', 'utf8')).trim().split('\n').slice(1);
for (const row of rows) {
  const [phone, firstName] = row.split(',');
  const response = await fetch(`${base}/contacts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ phone, firstName }),
  });
  console.log(phone, response.status === 409 ? 'was there' : response.status);
}
