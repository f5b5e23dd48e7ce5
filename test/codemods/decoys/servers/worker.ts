export default {
  async fetch(request: Request, env: { KEY: string }): Promise<Response> {
    const url = new URL(request.url);
    if (request.headers.get('x-api-key') !== env.KEY) return new Response('Invalid API key', { status: 401 });
    switch (url.pathname) {
      case '/v1/messages':
        return Response.json({ data: [] });
      case '/v1/contacts':
        return Response.json({ data: [] });
      default:
        return new Response(null, { status: 404 });
    }
  },
};
