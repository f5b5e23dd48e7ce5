/** Called by the landing pages, with a key that we give them. */
export async function POST(request: Request) {
  if (request.headers.get('x-api-key') !== process.env.LEADS_KEY) {
    return new Response('Unauthorized', { status: 401 });
  }
  return Response.json({ received: true }, { status: 202 });
}
