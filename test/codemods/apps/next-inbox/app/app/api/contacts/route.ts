import { messaging, MessagingError } from '../../../lib/messaging.ts';

export async function GET(request: Request) {
  const { searchParams } = new URL(request.url);
  const page = searchParams.get('page') ?? '1';
  const contacts = await messaging(`/contacts?page=${page}&limit=20`);
  return Response.json(contacts);
}

export async function POST(request: Request) {
  const { phone, name } = await request.json();
  try {
    const contact = await messaging('/contacts', {
      method: 'POST',
      body: JSON.stringify({ phone, name }),
    });
    return Response.json(contact, { status: 201 });
  } catch (error) {
    if (error instanceof MessagingError && error.status === 409) {
      return Response.json({ error: 'You know this one' }, { status: 409 });
    }
    throw error;
  }
}
