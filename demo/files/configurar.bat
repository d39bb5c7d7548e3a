echo Listo
