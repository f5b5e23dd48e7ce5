import ky from 'ky';
import { env } from '../env';

export const messaging = ky.create({
  prefix: `${env.MESSAGING_API_URL}/v1`,
  headers: { 'X-API-Key': env.MESSAGING_API_KEY },
  retry: 0,
});
