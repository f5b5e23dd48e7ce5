import type { NextApiRequest, NextApiResponse } from 'next';

export default function handler(req: NextApiRequest, res: NextApiResponse) {
  const { 'x-api-key': key } = req.headers;
  if (key !== process.env.INTERNAL_KEY) return res.status(401).end();
  return res.json({ path: '/v1/messages' });
}
