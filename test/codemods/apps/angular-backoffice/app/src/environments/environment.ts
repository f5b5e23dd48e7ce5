export const environment = {
  production: false,
  messaging: {
    apiUrl: 'https://api.example.com/v1',
    apiKey: 'dev-key',
  },
  shipping: {
    url: 'https://api.shiphub.io/v1',
    token: 'ship-dev',
  },
};
