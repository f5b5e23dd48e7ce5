import type { AxiosInstance } from 'axios';

export interface Appointment {
  id: string;
  phone: string;
  at: string;
}

export async function tomorrow(client: AxiosInstance): Promise<Appointment[]> {
  const { data } = await client.get<Appointment[]>('/v1/appointments', { params: { day: 'tomorrow' } });
  return data;
}

export async function remark(client: AxiosInstance, id: string, text: string): Promise<void> {
  await client.post(`/v1/appointments/${id}/messages`, { text });
}
