import { MessagingClient } from './client.ts';
import { loadConfig } from './config.ts';

export { MessagingClient, MessagingError } from './client.ts';

export interface Appointment {
  patient: { phone: string; firstName: string };
  startsAt: Date;
}

/** What the booking API calls when an appointment was made. */
export async function remind({ patient, startsAt }: Appointment, client = new MessagingClient(loadConfig())) {
  await client.upsertContact(patient);
  return client.sendText(patient.phone, `Hello ${patient.firstName}, we see you on ${startsAt.toISOString().slice(0, 10)}.`);
}
