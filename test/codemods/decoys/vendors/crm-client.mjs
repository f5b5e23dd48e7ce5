const base = 'https://contacts.vendor.io/v1';

const headersFor = (key) => ({ Accept: 'application/json', 'x-api-key': key });

export async function* everyContact(key) {
  for (let page = 1; ; page += 1) {
    const response = await fetch(`${base}/contacts?page=${page}&limit=100`, { headers: headersFor(key) });
    const { data } = await response.json();
    if (data.length === 0) return;
    yield* data;
  }
}
