import axios from 'axios';

const client = axios.create({
  baseURL: process.env.REACT_APP_API_URL || 'https://api.example.com/v1',
  timeout: 15000,
});

let apiKey = '';
export const setApiKey = (key) => {
  apiKey = key;
};

client.interceptors.request.use((config) => {
  if (apiKey) {
    config.headers['x-api-key'] = apiKey;
  }
  return config;
});

client.interceptors.response.use(
  (response) => response.data,
  (error) => Promise.reject(error.response ? error.response.data : error),
);

export default client;
