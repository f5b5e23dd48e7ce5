import { HttpClient } from '@angular/common/http';
import { inject, Injectable } from '@angular/core';
import { environment } from '../../environments/environment';

@Injectable({ providedIn: 'root' })
export class ShippingService {
  private http = inject(HttpClient);

  rates(zip: string) {
    return this.http.get(`${environment.shipping.url}/rates`, {
      params: { zip },
      headers: { 'x-api-key': environment.shipping.token },
    });
  }
}
