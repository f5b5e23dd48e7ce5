export const voices = (key) => fetch('https://api.voices.example.net/v1/voices', { headers: { 'xi-api-key': key } });
