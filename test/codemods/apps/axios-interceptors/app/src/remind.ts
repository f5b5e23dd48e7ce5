import type { AxiosInstance } from 'axios';
import { type Appointment, remark, tomorrow } from './api/calendar.ts';
import { createContact, getContact, getMessage, sendMessage } from './api/messaging.ts';

export interface Clients {
  messaging: AxiosInstance;
  calendar: AxiosInstance;
}

export async function remindOne(messaging: AxiosInstance, { phone, at }: Pick<Appointment, 'phone' | 'at'>): Promise<string> {
  await createContact(messaging, { phone });
  const { messageId } = await sendMessage(messaging, { channel: 'SMS', to: phone, content: `See you at ${at}.` });
  return messageId;
}

export async function remindAll({ messaging, calendar }: Clients): Promise<number> {
  const appointments = await tomorrow(calendar);
  for (const appointment of appointments) {
    const messageId = await remindOne(messaging, appointment);
    await remark(calendar, appointment.id, `Reminded by ${messageId}`);
  }
  return appointments.length;
}

export const statusOf = async (messaging: AxiosInstance, id: string): Promise<string | undefined> =>
  (await getMessage(messaging, undefined, { id }))?.status;

export const isKnown = async (messaging: AxiosInstance, id: string): Promise<boolean> =>
  (await getContact(messaging, undefined, { id })) !== undefined;
