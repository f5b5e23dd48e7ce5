/**
 * A receiver of webhooks, to copy: it verifies each delivery, handles each event once however often it comes, and answers fast.
 *
 *     WEBHOOK_SECRET=whsec_… node receiver.js
 *
 * PORT (4000) and WEBHOOK_DB (events.sqlite) can be set as well.
 */
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { WebhookError, verifyWebhook } from 'migrate-v2';

const { WEBHOOK_SECRET: secret = '', PORT: port = '4000', WEBHOOK_DB: file = 'events.sqlite' } = process.env;
const host = '127.0.0.1';
const path = '/webhooks';
const maxBody = 1024 * 1024;

if (secret === '') {
  console.error('Set WEBHOOK_SECRET to the signing secret of your webhook endpoint (whsec_…); it is shown when the endpoint is registered');
  process.exit(1);
}

// Another process of this receiver may be writing: wait for it, but less than the 8 seconds in which an answer is due.
const db = new DatabaseSync(file, { timeout: 4_000 });
db.exec(`
  CREATE TABLE IF NOT EXISTS events (event TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (event, id)) STRICT;
  CREATE TABLE IF NOT EXISTS inbox (sender TEXT NOT NULL, text TEXT NOT NULL, receivedAt TEXT NOT NULL) STRICT;
`);
const insertEvent = db.prepare('INSERT INTO events (event, id) VALUES (?, ?) ON CONFLICT DO NOTHING');
const insertMessage = db.prepare('INSERT INTO inbox (sender, text, receivedAt) VALUES (?, ?, ?)');

/**
 * Your work. It shares a transaction with the note that the event is handled: if it throws, neither is kept and the service delivers again.
 * Keep it as small as writing rows. What takes time (calling others, sending mail) belongs into a job that reads those rows later: the
 * service waits 8 seconds for the answer, and what was sent to others cannot be rolled back.
 */
function handle(event) {
  if (event.event === 'message.received') {
    const { contactPhone, text, receivedAt } = event.data;
    insertMessage.run(contactPhone, text, receivedAt);
  }
}

/**
 * What makes two deliveries the same event. No event id is documented, and not whether a retry repeats the body byte for byte: its
 * timestamp may be that of the attempt. So neither the bytes nor the timestamp can be it. A message has its messageId; of other kinds,
 * whose data is not documented, all data counts, and two events with equal data are taken for one. Where your data has an id, use that.
 */
function identify(event) {
  return event.event === 'message.received' ? event.data.messageId : hash('sha256', JSON.stringify(event.data));
}

/** Handles an event unless that was done before. Returns whether it was new. */
function handleOnce(event) {
  // A ping says only that the receiver is reached. All pings may look alike, and each click should be seen here.
  if (event.event === 'test.ping') return true;
  db.exec('BEGIN IMMEDIATE');
  try {
    const isNew = insertEvent.run(event.event, identify(event)).changes === 1;
    if (isNew) handle(event);
    db.exec('COMMIT');
    return isNew;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** The bytes of a body as they came, or undefined where they are too many. */
async function readBody(req) {
  const chunks = [];
  let size = 0;
  // Read to the end even if it is too much: a sender that is cut off while it still sends may never see the answer.
  for await (const chunk of req) {
    size += chunk.length;
    if (size <= maxBody) chunks.push(chunk);
  }
  return size <= maxBody ? Buffer.concat(chunks) : undefined;
}

/** Receives one request. Returns the status to answer with. */
async function receive(req) {
  if (req.url.split('?')[0] !== path) return 404;
  if (req.method !== 'POST') return 405;
  const body = await readBody(req);
  if (body === undefined) return 413;
  const event = verifyWebhook(body, req.headers['x-service-signature'], secret);
  // Without control characters, which would write on the terminal.
  const told = `${event.event} of ${event.timestamp}`.replace(/\p{Cc}/gu, '\u{FFFD}');
  console.log(`${handleOnce(event) ? 'handled' : 'repeated'} ${told}`);
  return 204;
}

/** The status for what went wrong: 401 for a wrong signature; after a 500 the service tries again. */
function refuse(error) {
  console.error(error instanceof WebhookError ? `${error.code}: ${error.message}` : error);
  return error instanceof WebhookError ? error.status : 500;
}

const server = createServer(async (req, res) => {
  const status = await receive(req).catch(refuse);
  res.writeHead(status, status === 405 ? { Allow: 'POST' } : {}).end();
});
server.listen(Number(port), host, () => console.log(`listening on http://${host}:${server.address().port}${path}`));
server.once('close', () => db.close());

// Requests in flight are answered before the process ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
