type Answer = { status?: number; body: unknown };
export type Routes = Record<string, Answer | ((init: RequestInit) => Answer)>;

/** Answers by method and path: `{ 'GET /v1/messages/m1': { body: … } }`. */
export function stubFetch(routes: Routes) {
  const original = globalThis.fetch;
  const calls: { method: string; url: URL; headers: Headers }[] = [];
  globalThis.fetch = async (input, init = {}) => {
    const url = new URL(String(input));
    const method = init.method ?? 'GET';
    calls.push({ method, url, headers: new Headers(init.headers) });
    const route = routes[`${method} ${url.pathname}`];
    if (route === undefined) throw new Error(`No answer for ${method} ${url.pathname}`);
    const { status = 200, body } = typeof route === 'function' ? route(init) : route;
    return Response.json(body, { status });
  };
  return { calls, restore: () => void (globalThis.fetch = original) };
}
