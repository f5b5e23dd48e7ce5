/** Another vendor's API. */
export const weather = (key) => ({
  request: (path) => fetch(`https://weather.example.org/v1${path}`, { headers: { 'x-api-key': key } }),
});
