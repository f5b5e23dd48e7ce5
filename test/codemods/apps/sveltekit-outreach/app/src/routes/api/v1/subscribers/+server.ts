export async function POST({ request, locals }) {
  const { phone } = await request.json();
  await locals.messaging.addContact({ phone, name: 'Subscriber' });
  await locals.messaging.send(phone, 'Welcome!');
  return new Response(null, { status: 204 });
}
