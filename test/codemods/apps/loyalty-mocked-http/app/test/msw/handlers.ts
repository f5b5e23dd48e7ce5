import { http, HttpResponse } from 'msw';

const MESSAGING = 'https://api.example.com/v1';

const unauthorized = () => HttpResponse.json({ error: 'unauthorized' }, { status: 401 });

export const handlers = [
  http.get(`${MESSAGING}/contacts`, ({ request }) => {
    if (request.headers.get('x-api-key') !== 'test-key') return unauthorized();
    const page = Number(new URL(request.url).searchParams.get('page'));
    return HttpResponse.json({ data: page === 1 ? [{ phone: '+15550100001' }] : [] });
  }),
  http.post(`${MESSAGING}/contacts`, async ({ request }) => {
    const apiKey = request.headers.get('x-api-key');
    if (!apiKey) return unauthorized();
    const member = (await request.json()) as { phone: string };
    if (member.phone === '+15550100009') return HttpResponse.json({ data: member, existed: true }, { status: 409 });
    return HttpResponse.json({ data: member }, { status: 201 });
  }),
  http.get('https://api.example.com/v1/contacts/:id', ({ request, params }) =>
    request.headers.has('x-api-key') ? HttpResponse.json({ data: { id: params.id } }) : unauthorized(),
  ),
  http.post('*/v1/messages/send', () => HttpResponse.json({ messageId: 'm1' })),
  http.get('https://points.example.net/v1/members/:id', ({ request }) =>
    request.headers.has('x-api-key') ? HttpResponse.json({ points: 40 }) : unauthorized(),
  ),
];
