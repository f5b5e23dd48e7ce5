import { messaging } from '../../../../lib/messaging.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return Response.json(await messaging(`/messages/${id}`));
}
