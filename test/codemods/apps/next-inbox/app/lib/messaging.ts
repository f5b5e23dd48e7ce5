const BASE_URL = process.env.MESSAGING_API_URL ?? 'https://api.example.com/v1';

export class MessagingError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** For the server: route handlers, actions and server components. */
export async function messaging<T>(path: string, init: RequestInit = {}): Promise<T> {
  const res = await fetch(`${BASE_URL}${path}`, {
    ...init,
    headers: {
      'Content-Type': 'application/json',
      'x-api-key': process.env.MESSAGING_API_KEY!,
      ...init.headers,
    },
  });
  if (!res.ok) {
    const { error } = await res.json().catch(() => ({ error: res.statusText }));
    throw new MessagingError(res.status, error);
  }
  return res.json();
}
