import { Container } from './container.js';
import { MessagingClient } from './messaging-client.js';
import { Reminders } from './reminders.js';
import { weather } from './weather.js';

const { env } = process;

export const container = new Container();

container.register('config', () => ({
  messaging: { baseUrl: env.MESSAGING_URL || 'https://api.example.com', apiKey: env.MESSAGING_KEY },
  weatherKey: env.WEATHER_KEY,
}));
container.register('messaging', (c) => new MessagingClient(c.resolve('config').messaging));
container.register('reminders', (c) => new Reminders(c.resolve('messaging')));
container.register('weather', (c) => weather(c.resolve('config').weatherKey));
