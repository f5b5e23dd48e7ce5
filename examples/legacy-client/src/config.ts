/** Settings, from the environment. */
export const config = {
  baseUrl: process.env['MESSAGING_API_URL'] ?? 'https://api.example.com',
  apiKey: process.env['MESSAGING_API_KEY'] ?? '',
};
