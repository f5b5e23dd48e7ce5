export function statusOf(id, key) {
  const request = new Request(`https://status.sms-vendor.net/v1/messages/${id}`, { headers: { 'x-api-key': key } });
  return fetch(request).then((response) => response.json());
}
