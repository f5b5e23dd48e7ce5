import { createApp } from 'vue';
import App from './App.vue';
import { mapPlugin } from './map/plugin';
import { createApi } from './plugins/api';
import { router } from './router';

createApp(App)
  .use(router)
  .use(createApi({ baseUrl: 'https://api.example.com', apiKey: import.meta.env.VITE_API_KEY }))
  .use(mapPlugin, { key: 'public' })
  .mount('#app');
