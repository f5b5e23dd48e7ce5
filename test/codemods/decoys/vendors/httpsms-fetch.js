// httpSMS: the same path and the same header as ours.
export async function sendSms({ from, to, content }) {
  const response = await fetch('https://api.httpsms.com/v1/messages/send', {
    method: 'POST',
    headers: { 'x-api-key': process.env.HTTPSMS_API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ from, to, content }),
  });
  if (!response.ok) throw new Error(`httpSMS answered ${response.status}`);
  return response.json();
}
