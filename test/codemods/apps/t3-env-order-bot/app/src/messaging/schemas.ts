import { z } from 'zod';

export const sent = z.object({ messageId: z.string() });
export const contact = z.object({ data: z.object({ id: z.string(), phone: z.string().optional() }) });
