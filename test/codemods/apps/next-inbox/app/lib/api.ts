export const API_ROOT = 'https://api.example.com';

/** For the browser: a key that can only read. */
export const fetcher = async (path: string) => {
  const res = await fetch(`${API_ROOT}${path}`, {
    headers: { 'x-api-key': process.env.NEXT_PUBLIC_MESSAGING_KEY ?? '' },
  });
  if (!res.ok) throw new Error(`${res.status} ${path}`);
  return res.json();
};

/** Of our own route handlers. */
export const ownFetcher = (url: string) => fetch(url).then((res) => res.json());
