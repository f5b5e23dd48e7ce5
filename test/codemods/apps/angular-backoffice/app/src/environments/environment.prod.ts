export const environment = {
  production: true,
  messaging: {
    apiUrl: 'https://api.example.com/v1',
    apiKey: '#{MESSAGING_KEY}#',
  },
  shipping: {
    url: 'https://api.shiphub.io/v1',
    token: '#{SHIPPING_TOKEN}#',
  },
};
