import { settings } from '../settings.ts';

/** The points provider: another company's. */
export async function pointsOf(member: string): Promise<number> {
  const response = await fetch(`${settings.points.url}/v1/members/${member}`, { headers: { 'x-api-key': settings.points.key } });
  const { points } = (await response.json()) as { points: number };
  return points;
}
