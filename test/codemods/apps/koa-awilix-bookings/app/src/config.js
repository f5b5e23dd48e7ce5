module.exports = {
  port: Number(process.env.PORT ?? 3000),
  hotelKey: process.env.HOTEL_KEY,
  messaging: {
    url: process.env.MESSAGING_API_URL || 'https://api.example.com/v1',
    key: process.env.MESSAGING_API_KEY,
  },
  rooms: {
    url: process.env.ROOMS_API_URL || 'https://rooms.example.net/v1',
    key: process.env.ROOMS_API_KEY,
  },
};
