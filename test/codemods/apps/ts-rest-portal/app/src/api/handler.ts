import { portalContract } from '../contracts/portal';
import type { Invitations } from '../services/invitations';

const { invite } = portalContract;

/** Serves the portal's contract, as a function of a request. */
export const createHandler = (invitations: Invitations, partnerKey: string) => async (request: Request) => {
  const { pathname } = new URL(request.url);
  if (request.method !== invite.method || pathname !== invite.path) return Response.json({ error: 'Not found' }, { status: 404 });
  if (request.headers.get('x-api-key') !== partnerKey) return Response.json({ error: 'Whose key is that?' }, { status: 401 });
  const { name, phone } = (await request.json()) as { name: string; phone: string };
  return Response.json({ id: await invitations.invite(name, phone) }, { status: 201 });
};
