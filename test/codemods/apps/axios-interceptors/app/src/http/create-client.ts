import axios, { type AxiosInstance } from 'axios';
import { authenticate, type Interceptor, timed, traced } from './interceptors.ts';

export interface ClientSettings {
  baseURL: string;
  interceptors: Interceptor[];
}

export function createClient({ baseURL, interceptors }: ClientSettings): AxiosInstance {
  const client = axios.create({ baseURL, headers: { accept: 'application/json' } });
  interceptors.forEach((interceptor) => client.interceptors.request.use(interceptor));
  client.interceptors.response.use(undefined, (error) => {
    if (error.response?.status === 404) return { ...error.response, data: undefined };
    throw error;
  });
  return client;
}

export const messagingClient = (apiKey: string, baseURL = 'https://api.example.com'): AxiosInstance =>
  createClient({ baseURL, interceptors: [authenticate(apiKey), traced, timed] });

/** The calendar takes a session, and has paths like everybody's. */
export const calendarClient = (session: string, baseURL = 'https://calendar.example.net'): AxiosInstance =>
  createClient({
    baseURL,
    interceptors: [(config) => (config.headers.set('cookie', `session=${session}`), config), traced],
  });
