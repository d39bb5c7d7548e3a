/**
 * Domains by kind, with all their subdomains. Of two that match, the longer one counts. Links to other domains pass,
 * because invoices and trackings may be anywhere.
 */
export const domains = {
  /** Domains of the platform. An operator adds the real ones (docs/moderation-terms.md). */
  allowed: `
    feria.example`,

  LINK_PLATFORMPAY: `
    pay.feria.example`,

  PLATFORM_LINKS_EXTERNALPAY: `
    paypal.com paypal.me stripe.com pag.ae pagseguro.com.br pagseguro.uol.com.br pagbank.com.br
    picpay.com picpay.me nubank.com.br payu.com payulatam.com payu.com.ar payu.com.co epayco.co
    epayco.com wompi.co bold.co checkout.bold.co kushkipagos.com kushki.com conekta.com conekta.io
    clip.mx openpay.mx oxxopay.com zettle.com sumup.com sumup.link stone.com.br ton.com.br
    infinitepay.io getnet.com.br getnet.com.ar mobbex.com todopago.com.ar naranjax.com uala.com.ar
    modo.com.ar prismamediosdepago.com khipu.com flow.cl webpay.cl transbank.cl fintoc.com
    izipay.pe culqi.com niubiz.com.pe pagoefectivo.pe yape.com.pe nequi.com.co daviplata.com
    dlocal.com asaas.com iugu.com pagar.me hotmart.com wise.com westernunion.com
    moneygram.com skrill.com neteller.com payoneer.com cash.app venmo.com zellepay.com revolut.com
    revolut.me buymeacoffee.com ko-fi.com binance.com astropay.com bitso.com ripio.com lemon.me
    plin.pe tunki.pe ligo.pe rapipago.com.ar pagofacil.com.ar redpagos.com.uy abitab.com.uy`,

  LINK_SHORT_URL: `
    bit.ly bitly.com bitly.ws bit.do bityli.com bl.ink polr.me polrproject.org rebrand.ly
    rebrandly.com t2m.io t2mio.com tinyurl.com tiny.one zpr.io zapier.com yourls.org goo.gl ow.ly
    is.gd v.gd cutt.ly cutt.us rb.gy t.ly t.co shorturl.at shorturl.com shorturl.asia short.io
    short.gy shrtco.de s.id tiny.cc tinu.be acortar.link acortaurl.com n9.cl encurtador.com.br
    encurta.net encr.pw bre.is adf.ly buff.ly lnkd.in dlvr.it soo.gd clck.ru u.to qr.ae shorte.st
    bc.vc tny.im x.gd da.gd urlz.fr 1url.com kutt.it urlr.me lc.cx j.mp amzn.to goo.su gg.gg
    ouo.io chilp.it qps.ru db.tt cur.lv tr.im snip.ly su.pr b.link lnk.bio ulvis.net shortest.link
    page.link app.link smarturl.it hyperurl.co linkshrink.net urlshortener.me abre.ai abre.me migre.me
    oke.io me2.do han.gl shor.tn tly.link url.ie trib.al fb.watch`,

  SOCIAL_NETWORK_LINK: `
    whatsapp.com wa.me wa.link walink.co wa.link.com wa.io t.me telegram.me telegram.org telegram.dog
    facebook.com fb.com fb.me m.me messenger.com instagram.com instagr.am ig.me ig.com tiktok.com
    twitter.com x.com discord.gg discord.com discordapp.com threads.net threads.com snapchat.com
    linkedin.com pinterest.com pin.it kwai.com kwai-video.com signal.me signal.group signal.org
    line.me viber.com wechat.com weixin.qq.com skype.com linktr.ee beacons.ai taplink.cc taplink.at
    bio.site bio.link campsite.bio vk.com reddit.com bsky.app mastodon.social koo.app twitch.tv
    tumblr.com badoo.com tinder.com meet.google.com zoom.us`,
} as const
