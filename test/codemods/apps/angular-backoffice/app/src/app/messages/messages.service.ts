import { HttpClient, HttpHeaders } from '@angular/common/http';
import { inject, Injectable } from '@angular/core';
import { Observable } from 'rxjs';
import { environment } from '../../environments/environment';

/** Written before there was an interceptor: it brings its own key. */
@Injectable({ providedIn: 'root' })
export class MessagesService {
  private http = inject(HttpClient);
  private headers = new HttpHeaders({
    'Content-Type': 'application/json',
    'x-api-key': environment.messaging.apiKey,
  });

  send(to: string, content: string): Observable<{ messageId: string }> {
    return this.http.post<{ messageId: string }>(
      'https://api.example.com/v1/messages/send',
      { channel: 'WHATSAPP', to, content },
      { headers: this.headers },
    );
  }

  status(id: string) {
    return this.http.get(`https://api.example.com/v1/messages/${id}`, { headers: this.headers });
  }
}
